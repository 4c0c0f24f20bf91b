import { tOr } from '../kit/i18n.ts'

/** The name of a role: templates in the reader's language, others as entered. Needs the texts of `role`. */
export const roleText = (name: string, template: boolean): string =>
  template ? tOr(`role:template.${name}.name`, name) : name

/** The description of a template role. */
export const templateText = (name: string): string => tOr(`role:template.${name}.about`, '')
