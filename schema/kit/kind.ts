/** Tells a declaration, or what carries one out, from whatever else a module exports: each says in `kind` what it is. */
export const ofKind =
  <D extends { readonly kind: string }>(...kinds: readonly D['kind'][]) =>
  (value: unknown): value is D =>
    typeof value === 'object' &&
    value !== null &&
    'kind' in value &&
    kinds.some((kind) => kind === value.kind)
