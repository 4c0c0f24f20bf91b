/**
 * What a role can grant. [§6] Declared beside the call, command or screen that asks for it, and gathered from there: the
 * template roles, the tree in the role editor and what is the installation's alone follow from the declarations.
 */
import { ofKind } from './kind.ts'

/** The template roles, from the least to the most powerful: each holds what those before it hold. */
export const templateRoles = ['viewer', 'operator', 'customerAdmin', 'systemAdmin'] as const
export type TemplateRole = (typeof templateRoles)[number]

/** Stands in place of a page: what people do with their own account, in dialogs of the user menu. */
export const ACCOUNT = 'account'

export type Permission = {
  readonly kind: 'permission'
  /**
   * What roles and API tokens store. [§6] gives 90, 53, 28, 21, 148 and 176; ours are by custom the menu id of their
   * page times 100 plus a number.
   */
  readonly id: number
  /** Its text is `permission.<name>` in a language file; the operation log and `ops tokens` use the name itself. */
  readonly name: string
  /**
   * The lowest template role that holds it; those above hold it too. What only 'systemAdmin' holds belongs to the
   * installation: no customer has it, whatever their role says.
   */
  readonly role: TemplateRole
  /** The name of the screen that it belongs to in the role editor, or `ACCOUNT`. */
  readonly under: string
  /** No call asks for it: the console alone opens something by it. */
  readonly consoleOnly?: boolean
  /** Known before anything asks for it, because the specification gives its id: what it waits for. */
  readonly awaits?: string
}

/** Declares one permission. Gathering refuses a second one of the same id or name, and one that nothing asks for. */
export function permission(d: Omit<Permission, 'kind'>): Permission {
  return { kind: 'permission', ...d }
}

export const isPermission = ofKind<Permission>('permission')
