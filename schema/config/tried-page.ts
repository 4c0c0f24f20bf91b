/** For the tests of pages: reads the sample device, changes values as a form would, and returns the refusals. */
import type { z } from 'zod'
import { checkFields } from '../kit/check.ts'
import { formOf } from '../kit/form.ts'
import type { ConfigPage } from './config-page.ts'
import { sampleDoc } from './sample-doc.ts'
import { exportUci, type UciDoc } from './uci.ts'

export const noTraits = { abilities: new Set<string>(), model: null }

/** The lines of a package that a change adds and removes, in order: `- option port '22'`. */
export function changedLines(before: UciDoc, after: UciDoc, name: string): string[] {
  const linesOf = (doc: UciDoc) =>
    doc[name]
      ? exportUci(doc[name])
          .split('\n')
          .map((line) => line.trim())
          .filter(Boolean)
      : []
  const [old, now] = [linesOf(before), linesOf(after)]
  const left = [...now]
  const gone = old.filter((line) => {
    const i = left.indexOf(line)
    if (i >= 0) left.splice(i, 1)
    return i < 0
  })
  return [...gone.map((line) => `- ${line}`), ...left.map((line) => `+ ${line}`)]
}

export function triedPage<B extends z.ZodObject>(page: ConfigPage<B>, doc: UciDoc = sampleDoc) {
  const values = page.read(doc, noTraits)
  const form = formOf(page.body)
  return {
    values,
    write: (changed: Partial<z.output<B>>) => page.write(doc, { ...values, ...changed }, noTraits),
    lines: (changed: Partial<z.output<B>>, name: string) =>
      changedLines(doc, page.write(doc, { ...values, ...changed }, noTraits), name),
    /** The paths that the schema, and those that the plain form refuses; both must agree on bounds. */
    bounds: (changed: Readonly<Record<string, unknown>>) => ({
      server: (page.body.safeParse({ ...values, ...changed }).error?.issues ?? []).map(({ path }) =>
        path.map(String).join('.'),
      ),
      form: Object.keys(checkFields(form, { ...values, ...changed })),
    }),
    faults: (changed: Partial<z.output<B>>, abilities: readonly string[] = []) =>
      page
        .check({ ...values, ...changed }, doc, { abilities: new Set(abilities), model: null })
        .map(({ path, text }) => `${path} ${text}`),
  }
}
