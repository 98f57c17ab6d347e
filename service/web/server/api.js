// All requests to our server. Errors of any kind are thrown as `Failure`.
import { key } from '../state/key.js';

export class Failure extends Error {
  /** `status` is 0 when the server could not be reached; `details` are `{path, message}`. */
  constructor(status, code, message, details = [], retryAfter = null) {
    super(message);
    this.status = status;
    this.code = code;
    this.details = details;
    this.retryAfter = retryAfter; // seconds
  }
}

/** Sends a request with the key, `json` or `body` as its body; gives the response if it is a success. `priority` is fetch's. */
export async function send(method, path, { json, body, headers = {}, priority = 'auto' } = {}) {
  const sent = { ...headers };
  if (key.peek()) sent.Authorization = `Bearer ${key.peek()}`;
  if (json !== undefined) sent['Content-Type'] = 'application/json';
  let response;
  try {
    response = await fetch(path, {
      method,
      headers: sent,
      body: json === undefined ? body : JSON.stringify(json),
      credentials: 'omit',
      priority,
    });
  } catch {
    throw new Failure(0, 'OFFLINE', 'The server cannot be reached');
  }
  if (!response.ok) throw await failureOf(response);
  return response;
}

/** A public resource or one of the key's owner, as JSON. */
export async function getJSON(path) {
  return (await send('GET', path)).json();
}

/** The body of a response, which may end before it is complete. */
export async function blobOf(response) {
  try {
    return await response.blob();
  } catch {
    throw new Failure(0, 'OFFLINE', 'The connection ended before the picture was complete');
  }
}

async function failureOf(response) {
  const body = await response.json().catch(() => ({}));
  const error = typeof body.error === 'object' ? body.error : body;
  const seconds = Number(response.headers.get('Retry-After')) || body.retryAfter || null;
  const message = error.message ?? `The server answered with status ${response.status}`;
  return new Failure(response.status, error.code ?? 'UNKNOWN', message, error.details, seconds);
}

/** Times by stage in ms, from a `Server-Timing` header. */
export function stagesOf(response) {
  const text = response.headers.get('Server-Timing') ?? '';
  const found = text.split(',').map((item) => /^\s*([\w-]+).*dur=([\d.]+)/.exec(item));
  return found.filter(Boolean).map(([, name, time]) => ({ name, time: Number(time) }));
}

/** The warnings about a picture: `{code, message}`. */
export function warningsOf(response) {
  return JSON.parse(response.headers.get('X-Mockup-Warning-Details') ?? '[]');
}
