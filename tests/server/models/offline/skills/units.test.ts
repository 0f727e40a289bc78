import { describeSkill } from '../../../../support/describe-skill.ts';

describeSkill(
  'the unit converter',
  String.raw`
convert 10 km to miles => 10 kilometres ≈ **6.21371 miles**
10 km in miles => 10 kilometres ≈ **6.21371 miles**
10km to mi => 10 kilometres ≈ **6.21371 miles**
how many feet in 3 metres => 3 metres ≈ **9.84252 feet**
how many feet are there in 3 meters? => 3 metres ≈ **9.84252 feet**
how many cups is 500 ml => 500 millilitres ≈ **2.11338 US cups**
5'11" in cm => 5 feet 11 inches = **180.34 centimetres**
5’11” in cm => 5 feet 11 inches = **180.34 centimetres**
what's 5 ft 11 in cm => 5 feet 11 inches = **180.34 centimetres**
5 ft 11 in in cm => 5 feet 11 inches = **180.34 centimetres**
100 f in c => 100 °F ≈ **37.7778 °C**
100°F to Celsius => 100 °F ≈ **37.7778 °C**
what is 350 degrees fahrenheit in celsius? => 350 °F ≈ **176.667 °C**
2 cups in ml => 2 US cups = **473.176473 millilitres**
how much is 5 stone in kg => 5 stone = **31.7514659 kilograms**
how many ounces in a pound => 1 pound = **16 ounces**
how many cm in one inch => 1 inch = **2.54 centimetres**
how many inches in a foot? => 1 foot = **12 inches**
how many days in a year => 1 year = **365.2425 days**\n\nA year is counted as 365.2425 days and a month as a twelfth of it.
2 km in metres, feet and miles => 2 kilometres ≈ **2,000 metres** ≈ **6,561.68 feet** ≈ **1.24274 miles**
6 ft 2 in cm => 6 feet 2 inches = **187.96 centimetres**
180 cm in feet and inches => 180 centimetres ≈ **5 feet 10.87 inches**
what is 6 ft in metres => 6 feet = **1.8288 metres**
how far is 26.2 miles in km => 26.2 miles = **42.1648128 kilometres**
1 GB in MiB => 1 GB ≈ **953.674 MiB**
100 Mbps to MB/s => 100 Mbit/s = **12.5 MB/s**
30 mpg in l/100km => 30 US mpg ≈ **7.84049 L/100 km**
6 litres per 100 km in mpg => 6 L/100 km ≈ **39.2024 US mpg**
£50 in dollars => (refused) I can't convert currencies: exchange rates change all the time and I have no network to look them up.
50 usd to eur => (refused) I can't convert currencies: exchange rates change all the time and I have no network to look them up.
how many euros is 20 dollars => (refused) I can't convert currencies: exchange rates change all the time and I have no network to look them up.
20 pounds in euros => (refused) I can't convert currencies: exchange rates change all the time and I have no network to look them up.
20 pounds in kg => 20 pounds = **9.0718474 kilograms**
half a mile in metres => 0.5 miles = **804.672 metres**
two and a half miles in km => 2.5 miles = **4.02336 kilometres**
90 minutes in hours => 90 minutes = **1.5 hours**
60 mph in km/h => 60 mph = **96.56064 km/h**
1,234.5 lb to kg => 1,234.5 pounds ≈ **559.96 kilograms**
-40 c in f => −40 °C = **−40 °F**
32 psi to bar => 32 psi ≈ **2.20632 bars**
10 miles → km => 10 miles = **16.09344 kilometres**
10 miles = km => 10 miles = **16.09344 kilometres**
convert 10 km to kg => (refused) "km" is a unit of length and "kg" of mass: one can't be converted to the other.
1/2 cup in tablespoons => 0.5 US cups = **8 US tablespoons**
10 m² in sq ft => 10 square metres ≈ **107.639 square feet**
an acre in square metres => 1 acre ≈ **4,046.86 square metres**
how many mb in a gb => 1 GB = **1,000 MB**
what is 3 light years in km? => 3 light years ≈ **28,382,191,417,742 kilometres**
10 km is how many miles => 10 kilometres ≈ **6.21371 miles**
5 ft 11 in to metres => 5 feet 11 inches = **1.8034 metres**
10 km in miles => 10 kilometres ≈ **6.21371 miles**
>> and in feet? => 10 kilometres ≈ **32,808.4 feet**
>> what about metres? => 10 kilometres = **10,000 metres**
>> and 20 km? => 20 kilometres = **20,000 metres**
>> times 3 => 20,000 × 3 = **60,000**
100 f in c => 100 °F ≈ **37.7778 °C**
>> and 50? => 50 °F = **10 °C**
>> in kelvin => 50 °F = **283.15 K**
5'11" in cm => 5 feet 11 inches = **180.34 centimetres**
>> and in metres => 5 feet 11 inches = **1.8034 metres**
>> how many inches is that? => 5 feet 11 inches = **71 inches**
100 kg in pounds => 100 kilograms ≈ **220.462 pounds**
>> convert that to stone => 100 kilograms ≈ **15.7473 stone**
10 km in miles => 10 kilometres ≈ **6.21371 miles**
>> times 3 => 6.21371 × 3 = **18.64113**
`,
);
