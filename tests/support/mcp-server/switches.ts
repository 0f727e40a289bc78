/** Ways for the tests' tool server to misbehave; read from its environment, which also works for a separate process. */
export interface McpSwitches {
  /** `write_counter` appends its lines here: one a run. `MCP_TEST_COUNTER_FILE` */
  counterFile: string | null;
  /**
   * Events of the server are appended here, one per line: `started <pid>`, `called <tool>`, `cancelled <tool>`.
   * `MCP_TEST_EVENTS_FILE`
   */
  eventsFile: string | null;
  /** How long it waits before it reads or answers anything, in milliseconds. `MCP_TEST_START_DELAY_MS` */
  startDelayMs: number;
  /** It writes this to stderr and ends with code 3 before it says anything. The argument after `--ends-with` */
  endsWith: string | null;
  /** It ends, without an answer, in its first call. `MCP_TEST_DIES_IN_CALL=1` */
  diesInCall: boolean;
  /** It answers its first call and ends. `MCP_TEST_DIES_AFTER_CALL=1` */
  diesAfterCall: boolean;
  /** It speaks something that is not MCP. `MCP_TEST_TALKS_NONSENSE=1` */
  talksNonsense: boolean;
  /** It stays when its input ends and when it is asked to end. `MCP_TEST_STAYS=1` */
  stays: boolean;
  /** It starts a program that keeps its streams open, as `started <pid>` tells, and never ends. `MCP_TEST_STARTS_HELPER=1` */
  startsHelper: boolean;
  /** It never says that its tools have changed, though they may. `MCP_TEST_SILENT=1` */
  isSilent: boolean;
  /** It knows the newest protocol only, in which there is no `initialize`. `MCP_TEST_MODERN_ONLY=1` */
  isModernOnly: boolean;
}

/** Nothing is switched on. */
export const NO_SWITCHES: McpSwitches = {
  counterFile: null,
  eventsFile: null,
  startDelayMs: 0,
  endsWith: null,
  diesInCall: false,
  diesAfterCall: false,
  talksNonsense: false,
  stays: false,
  startsHelper: false,
  isSilent: false,
  isModernOnly: false,
};

/** Reads the switches from an environment and arguments. */
export function readSwitches(env: NodeJS.ProcessEnv, args: readonly string[]): McpSwitches {
  const ends = args.indexOf('--ends-with');
  const isOn = (name: string): boolean => env[name] === '1';
  return {
    counterFile: env['MCP_TEST_COUNTER_FILE'] ?? null,
    eventsFile: env['MCP_TEST_EVENTS_FILE'] ?? null,
    startDelayMs: Number(env['MCP_TEST_START_DELAY_MS'] ?? 0),
    endsWith: ends === -1 ? null : (args[ends + 1] ?? ''),
    diesInCall: isOn('MCP_TEST_DIES_IN_CALL'),
    diesAfterCall: isOn('MCP_TEST_DIES_AFTER_CALL'),
    talksNonsense: isOn('MCP_TEST_TALKS_NONSENSE'),
    stays: isOn('MCP_TEST_STAYS'),
    startsHelper: isOn('MCP_TEST_STARTS_HELPER'),
    isSilent: isOn('MCP_TEST_SILENT'),
    isModernOnly: isOn('MCP_TEST_MODERN_ONLY'),
  };
}
