/** Guesses the package from its file name: `R200-1.5.0.tar.gz` is version 1.5.0 for the model R200. */
export type Guess = { name: string; version: string; model: string }

const ENDING = /\.tar\.gz$/i
/** After a separator (or at the front): an optional v, then numbers with dots, and the rest. */
const VERSION = /(?:^|[-_ ])v?(\d+(?:\.\d+)+[\w.+~-]*)$/i

export const isTarGz = (fileName: string) => ENDING.test(fileName)

/** For prefilling only; unrecognised parts stay empty. `models` are those of the fleet. */
export function guess(fileName: string, models: readonly string[]): Guess {
  const stem = fileName.replace(ENDING, '')
  const version = VERSION.exec(stem)?.[1] ?? ''
  const rest = (version === '' ? stem : stem.slice(0, stem.length - version.length)).replace(/[-_ v]+$/i, '')
  const words = rest.toLowerCase().split(/[-_ ]+/)
  const model = models.find((known) => words.includes(known.toLowerCase())) ?? ''
  return { name: rest.replace(/_/g, ' '), version, model }
}
