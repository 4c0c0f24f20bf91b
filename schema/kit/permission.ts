/**
 * What a role can grant. [§6] Declared beside the call, command or screen that requires it, and gathered: the
 * template roles, the tree in the role editor and the installation's own permissions are derived from the
 * declarations.
 */
import { ofKind } from './kind.ts'

/** The template roles, from the least to the most powerful: each includes those before it. */
export const templateRoles = ['viewer', 'operator', 'customerAdmin', 'systemAdmin'] as const
export type TemplateRole = (typeof templateRoles)[number]

/** Used instead of a page: actions on the user's own account, in dialogs of the user menu. */
export const ACCOUNT = 'account'

export type Permission = {
  readonly kind: 'permission'
  /**
   * Stored in roles and API tokens. [§6] defines 90, 53, 28, 21, 148 and 176; ours are by convention the menu id of
   * their page times 100 plus a number.
   */
  readonly id: number
  /** Its text is `permission.<name>` in a language file; the operation log and `ops tokens` use the name itself. */
  readonly name: string
  /**
   * The lowest template role that has it; those above have it too. Permissions of only 'systemAdmin' belong to the
   * installation: no customer has them, whatever their role contains.
   */
  readonly role: TemplateRole
  /** The name of its screen in the role editor, or `ACCOUNT`. */
  readonly under: string
  /** No call requires it: only the console uses it. */
  readonly consoleOnly?: boolean
  /**
   * Declared before anything requires it, because the specification defines its id: names the issue that it waits
   * for.
   */
  readonly awaits?: string
}

/** Declares one permission. Gathering refuses a duplicate id or name, and an unused one. */
export function permission(d: Omit<Permission, 'kind'>): Permission {
  return { kind: 'permission', ...d }
}

export const isPermission = ofKind<Permission>('permission')
