/** Every declared product code [§8], gathered from the subjects. */
import { isRefusals, type RefusalKind } from '#schema/kit/refusal'
import { gatherDeclared } from './gather.ts'

/** All refusals by name. @throws if a code or a name is declared twice, because they could not be distinguished. */
export function allRefusals(
  groups: readonly Readonly<Record<string, RefusalKind>>[],
): ReadonlyMap<string, RefusalKind> {
  const found = new Map<string, RefusalKind>()
  const codes = new Map<number, string>()
  for (const [name, refusal] of groups.flatMap((group) => Object.entries(group))) {
    const other = codes.get(refusal.code)
    if (other !== undefined) throw new Error(`code ${refusal.code} is both ${other} and ${name}`)
    if (found.has(name)) throw new Error(`the refusal ${name} is declared twice`)
    codes.set(refusal.code, name)
    found.set(name, refusal)
  }
  return found
}

export const gatherRefusals = async () => allRefusals(await gatherDeclared(isRefusals))
