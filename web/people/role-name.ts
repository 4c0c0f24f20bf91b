import { tOr } from '../kit/i18n.ts'

/** What a role is called: templates in the reader's language, others as they were named. Needs the texts of `role`. */
export const roleText = (name: string, template: boolean): string =>
  template ? tOr(`role:template.${name}.name`, name) : name

/** What a template role is for. */
export const templateText = (name: string): string => tOr(`role:template.${name}.about`, '')
