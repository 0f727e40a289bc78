/** The agent worker's entry, and the only module that loads the models and tools. Started by agent-threads.ts. */
import { createModel } from '../../models/index.ts';
import { THREAD_TOOLS } from '../../tools/index.ts';
import { startWorker } from './start-worker.ts';

startWorker({ createModel, tools: THREAD_TOOLS });
