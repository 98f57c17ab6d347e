// Large data kept in this browser's IndexedDB: the screenshot, and the data that panels keep in their own stores.
const NAME = 'mockup';
const VERSION = 1;
const STORES = ['session'];

let opened = null;

function open() {
  opened ??= new Promise((resolve, reject) => {
    const request = indexedDB.open(NAME, VERSION);
    request.onupgradeneeded = () => {
      for (const store of STORES) {
        if (!request.result.objectStoreNames.contains(store)) request.result.createObjectStore(store);
      }
    };
    request.onsuccess = () => resolve(request.result);
    request.onerror = () => reject(request.error);
  });
  return opened;
}

async function run(store, mode, action) {
  try {
    const transaction = (await open()).transaction(store, mode);
    const request = action(transaction.objectStore(store));
    return await new Promise((resolve, reject) => {
      transaction.oncomplete = () => resolve(request.result);
      transaction.onerror = transaction.onabort = () => reject(transaction.error);
    });
  } catch {
    return undefined; // storage is blocked or full, so nothing is kept
  }
}

export const load = (store, key) => run(store, 'readonly', (objects) => objects.get(key));
export const save = (store, key, value) => run(store, 'readwrite', (objects) => objects.put(value, key));

/** Replaces a value by what `change` makes of it; no other tab can write in between. */
export const update = (store, key, change) =>
  run(store, 'readwrite', (objects) => {
    const request = objects.get(key);
    request.onsuccess = () => objects.put(change(request.result), key);
    return request;
  });
