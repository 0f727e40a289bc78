/** The desktop app's main process. */
