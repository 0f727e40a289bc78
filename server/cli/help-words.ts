/** The texts of `parley help`, except options. */

/** The first lines of the help. */
export const DESCRIPTION = `Parley, the chat service on this computer, from the command line.

Without a command it runs the service: parley [--port N] [--data-dir DIR] [--json]
The installed app opens its window instead: parley [--port N] [--data-dir DIR] [--hidden] [--self-check [--json]]`;

/** The end of the program's help. */
export const EXIT_CODES = `
Options may also come before the command: parley --data-dir DIR chats

Examples:
  parley serve
  parley ask "What is 12.5% of 1840?"
  parley show last

Exit codes:
  0    done
  1    failed; the message says why
  2    wrong arguments
  3    the data folder is in use by another process (serve)
  4    the service isn't running or can't be reached
  5    the key was rejected or may not do this
  130  stopped by Ctrl+C

Environment:
  PARLEY_API_KEY, PARLEY_URL  same as --key and --url
  PARLEY_CHAT                 same as --chat of "ask"
  NO_COLOR                    no colours
  FORCE_COLOR                 colours and rendered Markdown in pipes too`;

/** The help texts of a command. */
export interface HelpWords {
  /** For the list of commands, without a full stop. */
  summary: string;
  /** For the command's own help. Default: the summary. */
  about?: string;
  examples?: readonly string[];
}

/** Every command by its name. */
export const COMMANDS = {
  serve: {
    summary: 'run the service',
    about:
      'Runs the service on this computer until Ctrl+C. The installed app starts without showing its window, or without a display in the terminal.',
    examples: ['parley serve', 'parley serve --port 4200 --data-dir ./parley-work'],
  },
  ask: {
    summary: 'send a message and print the reply',
    about: `Sends a message and prints the reply as it is written: rendered Markdown on a terminal, plain text in a pipe.
Piped input is added to the message. Each question starts a new chat, unless --chat names one.
Ctrl+C stops the reply; a second Ctrl+C exits at once. On a terminal, you are asked about tools that ask first.`,
    examples: [
      'parley ask "What is 12.5% of 1840?"',
      'cat report.md | parley ask "Summarise this in three sentences"',
      'parley ask --chat last "And in French?"',
      'parley ask --model ollama/llama3.2 --mode chat "Hello"',
      'parley ask --json "Roll a die" | jq -r .message.content',
    ],
  },
  chats: {
    summary: 'list chats, latest change first',
    examples: ['parley chats', 'parley chats --limit 100 --json | jq -r ".data[].title"'],
  },
  show: {
    summary: 'print a chat',
    examples: ['parley show last', 'parley show 3f2a9c1b --reply > reply.md'],
  },
  schedule: {
    summary: 'scheduled messages: list, add, pause, resume, run, delete',
    about: `Sends messages later, once or by a rule, while the service runs. What was due while it was off is sent once at its next start,
if it is less than a day old. Nobody is there to be asked, so tools that ask first are denied unless --allow names them.`,
    examples: [
      'parley schedule',
      'parley schedule add "every weekday at 8" "What is new in these feeds? …"',
      'parley schedule add "tomorrow at 8:30" --chat last "Any news?"',
      'parley schedule add "0 8 * * 1-5" --model ollama/llama3.2 "Good morning"',
      'parley schedule run 3f2a9c1b',
    ],
  },
  search: {
    summary: 'find messages and chats',
    about: 'Finds messages and chats. Every word must occur; the last one may be incomplete.',
    examples: ['parley search rent contract'],
  },
  stop: {
    summary: 'stop the reply in a chat',
    examples: ['parley stop last'],
  },
  answer: {
    summary: 'allow or deny a tool that asks first',
    about:
      'Allows or denies a tool that asks first. "always" also allows later calls of the tool in this workspace.',
    examples: ['parley answer last yes'],
  },
  export: {
    summary: 'write chats as Markdown or JSON',
    about: 'Writes a chat, or all chats of the workspace, as Markdown or JSON.',
    examples: ['parley export last', 'parley export -o chats.json'],
  },
  import: {
    summary: 'import chats from a JSON export',
    about: 'Imports chats from a JSON export. Existing chats are not changed.',
    examples: ['parley import chats.json', 'ssh work parley export --format json | parley import'],
  },
  backup: {
    summary: 'make, list and copy backups',
    about: 'Makes a backup of all workspaces in the data folder, or lists or copies existing backups.',
    examples: ['parley backup', 'parley backup list', 'parley backup get last -o parley-backup.json.gz'],
  },
  restore: {
    summary: 'restore a backup',
    about:
      'Restores what is in a backup, or in the file of one, but missing in the store. Existing chats are not changed. In a Parley without chats, the first workspace of the backup becomes its own.',
    examples: ['parley restore last', 'parley restore ./parley-2026-11-20T09-30-00.json.gz'],
  },
  status: {
    summary: 'show whether the service is running, and its state',
  },
  open: {
    summary: 'open the chat page in the browser, signed in',
    examples: ['parley open', 'parley open --print'],
  },
  keys: {
    summary: 'list, create and revoke keys for other programs',
    about: 'Lists the active keys, creates new ones for other programs, and revokes them.',
    examples: [
      'parley keys',
      'parley keys create "my script" --expires 30d',
      'parley keys revoke "my script"',
    ],
  },
  mcp: {
    summary: 'serve MCP clients over standard streams',
    about: `For MCP clients (editors, agents) that start their servers as programs. Passes their messages to the service,
which may start later or restart.`,
    examples: ['{ "mcpServers": { "parley": { "command": "parley", "args": ["mcp"] } } }'],
  },
  completion: {
    summary: 'print the completion script for a shell',
    about: 'Prints a script that lets a shell complete parley commands.',
    examples: [
      "echo 'source <(parley completion bash)' >> ~/.bashrc",
      "echo 'source <(parley completion zsh)' >> ~/.zshrc",
      'parley completion fish > ~/.config/fish/completions/parley.fish',
      'parley completion powershell >> $PROFILE',
    ],
  },
  doctor: {
    summary: 'look for problems and say what to do',
    about: `Checks the data folder and its permissions, the disk, the service and the files of the store and of messages, and says what to do.
Changes nothing and needs no running service. Exits with 1 if there is a problem.`,
  },
} as const satisfies Record<string, HelpWords>;
