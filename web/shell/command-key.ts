/** The label of the command key on this computer. */
export const COMMAND = /mac/i.test(navigator.userAgent) ? '⌘' : 'Ctrl'
