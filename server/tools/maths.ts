import { calculate } from './maths/calculate.ts';
import { convertUnits } from './maths/convert-units.ts';

/** Calculation and units. */
export const MATHS_TOOLS = [calculate, convertUnits];
