/** The words with which a switch is on or off, in UCI and in variables of templates. */

const YES = ['1', 'on', 'true', 'yes', 'enabled']
const NO = ['0', 'off', 'false', 'no', 'disabled']

/** undefined: it is neither. */
export function yesOrNo(text: string): boolean | undefined {
  const word = text.toLowerCase()
  return YES.includes(word) ? true : NO.includes(word) ? false : undefined
}
