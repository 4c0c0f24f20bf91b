/** The key of commands, as this computer's keyboard says it. */
export const COMMAND = /mac/i.test(navigator.userAgent) ? '⌘' : 'Ctrl'
