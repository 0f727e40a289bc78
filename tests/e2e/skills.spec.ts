import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from './support/test.ts';

const skill = (text: string): string =>
  `---\nname: release-notes\ndescription: Writes the notes of a release. Use it when somebody asks for a changelog.\n---\n\n${text}\n`;

test('a skill is read, turned on, and asked about again once it has changed', async ({ chat, service }) => {
  const { page } = chat;
  await chat.open(service.pageUrl);
  const folder = join(service.dataDir, 'skills', 'release-notes');
  await mkdir(folder, { recursive: true });
  await writeFile(join(folder, 'SKILL.md'), skill('# Steps'));
  await mkdir(join(service.dataDir, 'skills', 'broken'), { recursive: true });
  await writeFile(join(service.dataDir, 'skills', 'broken', 'SKILL.md'), 'Nothing to begin with');
  await page.goto(`${service.baseUrl}/#/settings/tools`);
  const part = page.getByRole('region', { name: 'Skills' });
  await expect(part.getByText('must begin with its name and description')).toBeVisible();
  const item = part.getByRole('listitem').filter({ hasText: 'changelog' });
  await item.getByText('Text, and who may use it').click();
  await expect(item.getByRole('region', { name: 'Text of “release-notes”' })).toContainText('# Steps');
  const control = item.getByRole('switch', { name: 'release-notes' });
  await control.click();
  await expect(control).toBeChecked();
  await expect(item.getByText('Who may use it', { exact: true })).toBeVisible();

  await writeFile(join(folder, 'SKILL.md'), skill('# Other steps'));
  await page.reload();
  await expect(item.getByText('so it isn’t used')).toBeVisible();
  await expect(control).not.toBeChecked();
  await control.click();
  await expect(control).toBeChecked();
  await expect(item.getByText('so it isn’t used')).not.toBeVisible();
});
