/** How busy it is from 0.12 (four in the morning, local solar time) to 1 (four in the afternoon). */
export function dailyRhythm(atMs: number, longitude: number): number {
  const hour = (atMs / 3_600_000 + longitude / 15) % 24
  return 0.56 - 0.44 * Math.cos(((hour - 4) / 12) * Math.PI)
}
