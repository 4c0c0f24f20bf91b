/** A response that the database wrote as JSON: sent unchanged. For lists of a whole fleet (docs/decisions/055). */
export class JsonText {
  readonly text: string

  constructor(text: string) {
    this.text = text
  }
}

export const jsonText = (data: unknown): string =>
  data instanceof JsonText ? data.text : JSON.stringify(data)
