/** How much room a form takes, decided by its fields alone. */
import type { ShownField } from './form-model.ts'

/** A drawer with more fields has two columns, where the window is wide enough. */
export const ONE_COLUMN_FIELDS = 12
export const DRAWER_PX = { one: 480, two: 920 } as const

/** Sections and rows count with what is in them: that is what has to be scrolled. */
export const countFields = (fields: readonly ShownField[]): number =>
  fields.reduce((sum, { fields: inner }) => sum + Math.max(1, countFields(inner)), 0)

export const columnsFor = (fields: readonly ShownField[]): 'one' | 'two' =>
  countFields(fields) > ONE_COLUMN_FIELDS ? 'two' : 'one'

/** Long texts, lists and hand-made inputs need the whole width. */
export const isWide = ({ input, Draw, narrow }: ShownField): boolean =>
  (Draw !== undefined && !narrow) || ['area', 'fields', 'rows', 'tags', 'choices'].includes(input)
