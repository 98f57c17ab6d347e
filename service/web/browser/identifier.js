// Unused names; browsers make UUIDs only for pages that come over TLS or from this machine.
export function newId() {
  return Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) => byte.toString(16).padStart(2, '0')).join('');
}
