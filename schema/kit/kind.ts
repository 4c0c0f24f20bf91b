/** Distinguishes declarations and their implementations from other exports of a module: each has its `kind`. */
export const ofKind =
  <D extends { readonly kind: string }>(...kinds: readonly D['kind'][]) =>
  (value: unknown): value is D =>
    typeof value === 'object' &&
    value !== null &&
    'kind' in value &&
    kinds.some((kind) => kind === value.kind)
