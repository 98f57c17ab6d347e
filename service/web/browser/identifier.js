// Names that nothing has yet; browsers give UUIDs only to pages with TLS and of this machine.
export function newId() {
  return Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) => byte.toString(16).padStart(2, '0')).join('');
}
