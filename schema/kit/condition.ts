/** A condition on other fields as data: the form applies it, and documents can print it. */

export type Scalar = string | number | boolean

/** True if each field has one of its values; an empty condition is always true. */
export type Condition = Readonly<Record<string, readonly Scalar[]>>

/** Values of inputs are compared as text: a form has "2" where the document will have 2. */
export const holds = (condition: Condition, values: Readonly<Record<string, unknown>>): boolean =>
  Object.entries(condition).every(([name, allowed]) =>
    allowed.some((value) => String(value) === String(values[name])),
  )
