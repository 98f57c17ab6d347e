// ZIP archives of files that are stored as they are, since pictures are compressed already.

const TABLE = Uint32Array.from({ length: 256 }, (_, byte) => {
  let rest = byte;
  for (let bit = 0; bit < 8; bit += 1) rest = rest & 1 ? 0xedb88320 ^ (rest >>> 1) : rest >>> 1;
  return rest;
});

function checksum(bytes) {
  let sum = 0xffffffff;
  for (const byte of bytes) sum = TABLE[(sum ^ byte) & 255] ^ (sum >>> 8);
  return ~sum >>> 0;
}

/** A ZIP of `{name, bytes}`, whose names differ; up to 65,535 files and 4 GiB. */
export function zip(files) {
  const parts = [];
  const directory = [];
  let offset = 0;
  for (const { name, bytes } of files) {
    const path = new TextEncoder().encode(name);
    // Version 2.0, names in UTF-8, stored, 1 January 1980; then checksum and sizes.
    const common = [[2, 20], [2, 0x800], [2, 0], [2, 0], [2, 0x21], [4, checksum(bytes)], [4, bytes.length], [4, bytes.length], [2, path.length], [2, 0]];
    const local = fields([[4, 0x04034b50], ...common]);
    directory.push(fields([[4, 0x02014b50], [2, 20], ...common, [2, 0], [2, 0], [2, 0], [4, 0], [4, offset]]), path);
    parts.push(local, path, bytes);
    offset += local.length + path.length + bytes.length;
  }
  const size = directory.reduce((sum, part) => sum + part.length, 0);
  const count = [2, files.length];
  const end = fields([[4, 0x06054b50], [2, 0], [2, 0], count, count, [4, size], [4, offset], [2, 0]]);
  return new Blob([...parts, ...directory, end], { type: 'application/zip' });
}

// Numbers, each given as `[bytes, value]`, in little-endian order.
function fields(list) {
  return Uint8Array.from(list.flatMap(([length, value]) => Array.from({ length }, (_, at) => (value >>> (8 * at)) & 255)));
}
