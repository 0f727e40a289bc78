/** What help tells, but for options. */

/** What the program is. */
export const DESCRIPTION = `Parley, the chat service on this computer, from the command line.

Without a command it runs the service: parley [--port N] [--data-dir DIR] [--json]`;

/** Stands below the help of the whole program. */
export const EXIT_CODES = `
Options before the command count as well: parley --data-dir DIR chats

Examples:
  parley serve
  parley ask "What is 12.5% of 1840?"
  parley show last

Exit codes:
  0    done
  1    failed: the message says why
  2    wrong arguments
  3    another process has the data folder (serve)
  4    no service runs, or it can't be reached
  5    the key was refused, or may not do this
  130  stopped by Ctrl+C

Environment:
  PARLEY_API_KEY, PARLEY_URL  as --key and --url
  PARLEY_CHAT                 as --chat of "ask"
  NO_COLOR, FORCE_COLOR       no colours; colours and rendered Markdown in pipes, too`;

/** A command's words. */
export interface Words {
  /** In the list of commands; without a full stop. */
  summary: string;
  /** In the command's own help; the summary unless given. */
  about?: string;
  examples?: readonly string[];
}

/** Every command by its name. */
export const COMMANDS = {
  serve: {
    summary: 'run the service',
    about: 'Runs the service on this computer, until Ctrl+C. The same as no command at all.',
    examples: ['parley serve', 'parley serve --port 4200 --data-dir ~/parley-work'],
  },
  ask: {
    summary: 'send a message and print the reply',
    about: `Sends a message and prints the reply as it is written: as Markdown on a terminal, as it stands in a pipe.
What is piped in is added to the words. Each question begins a chat of its own unless --chat says otherwise.
Ctrl+C stops the reply; pressed again, it leaves at once. A tool that asks first is asked about on a terminal.`,
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
  search: {
    summary: 'find messages and chats by words',
    about: 'Finds messages and chats by words. Every word must occur; the last may be unfinished.',
    examples: ['parley search rent contract'],
  },
  stop: {
    summary: 'stop the reply that is being written in a chat',
    examples: ['parley stop last'],
  },
  answer: {
    summary: 'say yes or no to a tool that asks first',
    about:
      'Says yes or no to a tool that asks first. "always" allows later calls of the tool in this workspace, too.',
    examples: ['parley answer last yes'],
  },
  export: {
    summary: 'write chats as Markdown or JSON',
    about: 'Writes a chat, or all chats of the workspace, as Markdown or JSON.',
    examples: ['parley export last', 'parley export -o chats.json'],
  },
  import: {
    summary: 'bring chats in from an export as JSON',
    about: 'Brings chats in from an export as JSON. Nothing that is there is replaced.',
    examples: ['parley import chats.json', 'ssh work parley export --format json | parley import'],
  },
  backup: {
    summary: 'make, list and copy backups',
    about: 'Makes a backup of all workspaces in the data folder, or lists and copies those that are there.',
    examples: ['parley backup', 'parley backup list', 'parley backup get last -o ~/parley-backup.json.gz'],
  },
  restore: {
    summary: 'bring back what a backup has',
    about: 'Brings back what a backup has and the store lacks. Nothing that is there is replaced.',
    examples: ['parley restore last'],
  },
  status: {
    summary: 'tell whether the service runs, and how it stands',
  },
  open: {
    summary: 'open the chat page in the browser, signed in',
    examples: ['parley open', 'parley open --print'],
  },
  keys: {
    summary: 'list, make and revoke keys for other programs',
    about: 'Lists the keys in force, makes new ones for other programs, and revokes them.',
    examples: [
      'parley keys',
      'KEY=$(parley keys create "my script" --expires 30d)',
      'parley keys revoke "my script"',
    ],
  },
  mcp: {
    summary: 'serve MCP clients over standard streams',
    about: `Lets MCP clients (editors, agents) that start their servers as programs use Parley. It passes their messages on to the
service, which may start later and start anew meanwhile.`,
    examples: ['{ "mcpServers": { "parley": { "command": "parley", "args": ["mcp"] } } }'],
  },
  completion: {
    summary: 'print what a shell needs to complete words',
    about: 'Prints what a shell needs to complete the words of parley.',
    examples: [
      "echo 'source <(parley completion bash)' >> ~/.bashrc",
      "echo 'source <(parley completion zsh)' >> ~/.zshrc",
      'parley completion fish > ~/.config/fish/completions/parley.fish',
      'parley completion powershell >> $PROFILE',
    ],
  },
  doctor: {
    summary: 'look for what is wrong, and say what to do',
    about: `Looks at the data folder, its rights, the disk, the store's files, who has it and the port, and says what to do.
Changes nothing, and needs no running service. Ends with 1 when there is a problem.`,
  },
} as const satisfies Record<string, Words>;
