/** A program that writes one file over and over with the tool, until it is killed: argument 1 the folder, 2 the data folder. */
import { createFileTools } from '../../server/tools/files/file-tools.ts';
import { toolContext } from './tool-context.ts';

const [path = '', dataDir = ''] = process.argv.slice(2);
const folder = { id: '1', name: 'Notes', path, available: true, createdAt: '' };
const tools = await createFileTools({
  folders: () => Promise.resolve([folder]),
  isAnyAllowed: () => true,
  dataDir,
}).list(['orchestrator']);
const write = tools.find(({ name }) => name === 'write_file');
for (let round = 0; ; round += 1) {
  const text = String.fromCharCode(97 + (round % 26)).repeat(900_000);
  await write?.run({ path: 'Notes/long.txt', text }, toolContext());
  if (round === 0) process.stdout.write('writing\n');
}
