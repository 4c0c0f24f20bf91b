/** All ready templates, in the order in which they are shown. */
import { carloGavazziEm24, carloGavazziEm340 } from './carlo-gavazzi.ts'
import { acrelAdw300, chintDtsu666 } from './chinese-meters.ts'
import { xyMd02 } from './climate.ts'
import { eastronSdm72, eastronSdm230, eastronSdm630 } from './eastron.ts'
import { schneiderIem3000, siemensPac2200 } from './european-meters.ts'
import { huaweiSun2000, sungrowInverter } from './inverters.ts'
import type { LibraryTemplate } from './library-template.ts'
import { deltaDvp, siemensLogo8 } from './plc.ts'
import { sunspecInverter, sunspecMeter } from './sunspec.ts'

export const library: readonly LibraryTemplate[] = [
  acrelAdw300,
  carloGavazziEm24,
  carloGavazziEm340,
  chintDtsu666,
  eastronSdm230,
  eastronSdm630,
  eastronSdm72,
  schneiderIem3000,
  siemensPac2200,
  sunspecMeter,
  xyMd02,
  deltaDvp,
  siemensLogo8,
  huaweiSun2000,
  sungrowInverter,
  sunspecInverter,
]
