/** A worker that cannot start. */
throw new Error('cannot start');
