/** What Parley uses of Electron 45 and Electron 33 lacks. Loaded before the app. */
const { safeStorage } = require('electron');

Object.assign(safeStorage, {
  isAsyncEncryptionAvailable: async () => safeStorage.isEncryptionAvailable(),
  encryptStringAsync: async (text) => safeStorage.encryptString(text),
  decryptStringAsync: async (bytes) => ({ result: safeStorage.decryptString(bytes), shouldReEncrypt: false }),
});
