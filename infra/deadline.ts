/** A wait with a timeout: what has not completed by then fails with a named error [decision 063]. */

/** `code` is one that the API's error handler treats as an unavailable database. */
export class Overdue extends Error {
  readonly code = 'CONNECTION_OVERDUE'
}

/** `work` continues in the background, so completing late must do no harm. @throws Overdue */
export async function withinTime<T>(what: string, ms: number, work: Promise<T>): Promise<T> {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<never>((_, fail) => {
    timer = setTimeout(() => fail(new Overdue(`${what}: no answer for ${ms / 1000} s`)), ms)
  })
  try {
    return await Promise.race([work, late])
  } finally {
    clearTimeout(timer)
  }
}
