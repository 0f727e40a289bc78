/** A test's way into the main process, over the channel that Node opens for a child process: it runs functions by their source. */
const electron = require('electron');
const { constants, runInThisContext } = require('node:vm');

// Functions may import modules.
const OPTIONS = { importModuleDynamically: constants.USE_MAIN_CONTEXT_DEFAULT_LOADER };

// What stands before the app's folder isn't the app's.
process.argv.splice(1, process.argv.lastIndexOf('-r') + 1);

process.on('message', ({ id, source, arg }) => {
  const run = async () => runInThisContext(`(${source})`, OPTIONS)(electron, arg);
  run().then(
    (value) => process.connected && process.send({ id, value }),
    (error) => process.connected && process.send({ id, error: error?.stack ?? String(error) }),
  );
});
process.once('disconnect', () => electron.app.exit(1));
