import type { TerminalFault } from '#schema/remote/terminal-frame'

/** Why there is no shell, as shown to the user. */
export class ShellFault extends Error {
  readonly why: TerminalFault
  constructor(why: TerminalFault) {
    super(why)
    this.why = why
  }
}
