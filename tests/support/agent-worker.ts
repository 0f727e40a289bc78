/** A worker with the scripted model and the misbehaving tools. */
import { startWorker } from '../../server/turns/thread/start-worker.ts';
import { TEST_TOOLS } from './misbehaving-tools.ts';
import { createScriptedModel } from './scripted-model.ts';

console.log('noise on stdout');
console.error('noise on stderr');

startWorker({
  createModel: (name) => (name === 'scripted' ? createScriptedModel() : null),
  tools: TEST_TOOLS,
});
