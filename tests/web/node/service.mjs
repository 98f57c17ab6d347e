// The service that the page's modules ask: `SERVER`, which the tests have started.

const fetched = globalThis.fetch;
globalThis.fetch = (path, options) => fetched(new URL(path, process.env.SERVER), options);

/** Sends JSON with the key of a user, `KEY`, and gives what comes back. */
export async function post(path, body) {
  const headers = { Authorization: `Bearer ${process.env.KEY}`, 'Content-Type': 'application/json' };
  const response = await fetch(path, { method: 'POST', headers, body: JSON.stringify(body) });
  if (!response.ok) throw new Error(await response.text());
  return response.json();
}
