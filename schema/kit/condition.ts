/** A condition on other fields, said as data: the form obeys it, and documents can print it. */

export type Scalar = string | number | boolean

/** Holds when each named field has one of its values; an empty condition always holds. */
export type Condition = Readonly<Record<string, readonly Scalar[]>>

/** Values of inputs are compared as text: a form holds "2" where the document will say 2. */
export const holds = (condition: Condition, values: Readonly<Record<string, unknown>>): boolean =>
  Object.entries(condition).every(([name, allowed]) =>
    allowed.some((value) => String(value) === String(values[name])),
  )
