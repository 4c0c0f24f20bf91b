/** The JSON document of a collection template with its variables: what is exported from one console and imported in another. */

export const TEMPLATE_FORMAT = 'collection-template/1'

type Document = { name: string; variables: readonly unknown[] } & Record<string, unknown>

/** null: any other file. What is wrong inside of ours the server says by field; a name can be typed in. */
export function parseTemplate(text: string): Document | null {
  try {
    const { format, name, variables, ...rest } = JSON.parse(text) as Record<string, unknown>
    if (format !== TEMPLATE_FORMAT || !Array.isArray(variables)) return null
    return { ...rest, name: typeof name === 'string' ? name : '', variables }
  } catch {
    return null
  }
}

/** The variable that a refused field of the document is about, by its name, else by its place from 1. */
export function variableAt(field: string | undefined, variables: readonly unknown[]): string | null {
  const place = /^variables\.(\d{1,5})(?:\.|$)/.exec(field ?? '')?.[1]
  if (place === undefined) return null
  const name = (variables[Number(place)] as { name?: unknown } | null | undefined)?.name
  return typeof name === 'string' && name.trim() !== '' ? name : `${Number(place) + 1}`
}
