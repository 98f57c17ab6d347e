// Small things kept in this browser: theme, panel, the API key. Nothing here ever leaves it but the key, to our server.
const PREFIX = 'mockup.';

export function read(name) {
  try {
    return localStorage.getItem(PREFIX + name);
  } catch {
    return null; // storage is blocked
  }
}

export function write(name, value) {
  try {
    if (value === null) localStorage.removeItem(PREFIX + name);
    else localStorage.setItem(PREFIX + name, value);
  } catch {
    // Storage is blocked or full: it is not kept, then.
  }
}
