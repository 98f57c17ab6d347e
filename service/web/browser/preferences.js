// Small values kept in this browser, such as the theme, the open panel and the API key. Only the key is sent, and only to our server.
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
    // Storage is blocked or full, so nothing is kept.
  }
}
