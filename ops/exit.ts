/** Exit codes of the command line, for scripts. */
export const exitCodes = {
  done: 0,
  failures: 1,
  usage: 2,
  refused: 3,
  timedOut: 4,
  interrupted: 130,
} as const
export type ExitCode = (typeof exitCodes)[keyof typeof exitCodes]

export const exitHelp = `
Exit codes:
  0  done
  1  finished, but something failed (a device, a line of an import), or an upgrade
     that was watched stopped itself because too many devices failed
  2  wrong usage
  3  refused by the platform, or the platform cannot be reached
  4  timed out
130  interrupted (Ctrl-C); what was watched goes on

Environment:
  IOT_URL    the platform; default: that of the stored login, else http://localhost:8080
  IOT_TOKEN  an API token (ops tokens create); else the token that \`ops login\` stored
  LANG       language of messages: zh_CN, zh_TW, else English
`

/** Ends the program with a line on stderr. */
export class Exit extends Error {
  readonly code: ExitCode
  constructor(code: ExitCode, message = '') {
    super(message)
    this.code = code
  }
}

export const usage = (message: string): never => {
  throw new Exit(exitCodes.usage, message)
}
