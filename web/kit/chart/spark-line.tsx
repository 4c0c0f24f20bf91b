export function sparkPath(values: readonly (number | null)[], width: number, height: number): string {
  const known = values.filter((value) => value !== null)
  if (known.length < 2) return ''
  const [low, high] = [Math.min(...known), Math.max(...known)]
  const x = (i: number) => ((i / Math.max(1, values.length - 1)) * width).toFixed(1)
  const y = (value: number) => (height - ((value - low) / (high - low || 1)) * height).toFixed(1)
  let pen = 'M'
  let path = ''
  values.forEach((value, i) => {
    if (value === null) {
      pen = 'M'
      return
    }
    path += `${pen}${x(i)} ${y(value)}`
    pen = 'L'
  })
  return path
}

/**
 * A small line without axes; gaps stay gaps. Decorative, hidden from screen readers. `data-fills`: it is as wide as the
 * room that it gets, so a list does not measure it.
 */
export function SparkLine({ values }: { values: readonly (number | null)[] }) {
  const [width, height] = [120, 24]
  return (
    <svg
      viewBox={`0 -2 ${width} ${height + 4}`}
      preserveAspectRatio="none"
      // At the foot of a tile, so that the lines of tiles with and without a note stand side by side.
      style={{ width: '100%', height: 28, display: 'block', marginTop: 'auto' }}
      aria-hidden
      data-fills
    >
      <path
        d={sparkPath(values, width, height)}
        fill="none"
        stroke="var(--primary)"
        strokeWidth="1.5"
        strokeLinejoin="round"
        vectorEffect="non-scaling-stroke"
      />
    </svg>
  )
}
