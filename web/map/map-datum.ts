/**
 * Tiles made in China use GCJ-02, which differs from WGS-84 unevenly by some hundred metres; positions are stored in
 * WGS-84.
 */

export type Datum = 'wgs84' | 'gcj02'
export type Place = { longitude: number; latitude: number }

const AXIS_M = 6_378_245
const ECCENTRICITY = 0.006_693_421_622_965_943
/** The shift is defined approximately for this area. */
const inChina = ({ longitude, latitude }: Place) =>
  longitude > 72.004 && longitude < 137.8347 && latitude > 0.8293 && latitude < 55.8271

const waves = (value: number) =>
  (20 * Math.sin(6 * value * Math.PI) + 20 * Math.sin(2 * value * Math.PI)) * (2 / 3)

function shift({ longitude, latitude }: Place): Place {
  const x = longitude - 105
  const y = latitude - 35
  const root = 0.2 * Math.sqrt(Math.abs(x))
  const north =
    -100 +
    2 * x +
    3 * y +
    0.2 * y * y +
    0.1 * x * y +
    root +
    waves(x) +
    (20 * Math.sin(y * Math.PI) + 40 * Math.sin((y / 3) * Math.PI)) * (2 / 3) +
    (160 * Math.sin((y / 12) * Math.PI) + 320 * Math.sin((y * Math.PI) / 30)) * (2 / 3)
  const east =
    300 +
    x +
    2 * y +
    0.1 * x * x +
    0.1 * x * y +
    0.1 * Math.sqrt(Math.abs(x)) +
    waves(x) +
    (20 * Math.sin(x * Math.PI) + 40 * Math.sin((x / 3) * Math.PI)) * (2 / 3) +
    (150 * Math.sin((x / 12) * Math.PI) + 300 * Math.sin((x / 30) * Math.PI)) * (2 / 3)
  const radians = (latitude / 180) * Math.PI
  const bend = 1 - ECCENTRICITY * Math.sin(radians) ** 2
  return {
    longitude: (east * 180) / ((AXIS_M / Math.sqrt(bend)) * Math.cos(radians) * Math.PI),
    latitude: (north * 180) / (((AXIS_M * (1 - ECCENTRICITY)) / (bend * Math.sqrt(bend))) * Math.PI),
  }
}

/** From WGS-84 to the position on the tiles. */
export function toMap(place: Place, datum: Datum): Place {
  if (datum === 'wgs84' || !inChina(place)) return place
  const by = shift(place)
  return { longitude: place.longitude + by.longitude, latitude: place.latitude + by.latitude }
}

/** And back, to less than a millimetre: the shift has no closed inverse and is approximated iteratively. */
export function fromMap(drawn: Place, datum: Datum): Place {
  let place = drawn
  for (let i = 0; i < 5; i++) {
    const seen = toMap(place, datum)
    place = {
      longitude: place.longitude + drawn.longitude - seen.longitude,
      latitude: place.latitude + drawn.latitude - seen.latitude,
    }
  }
  return place
}
