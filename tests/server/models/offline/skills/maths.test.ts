import { describeSkill } from '../../../../support/describe-skill.ts';

describeSkill(
  'the calculator',
  String.raw`
what is -3 squared => (-3)^2 = **9**
calculate 12*7 and then times 3 => (12 × 7) × 3 = **252**
12 * 7, then add 5 => (12 × 7) + 5 = **89**
what's 2/3 as a decimal to 5 places => 2/3 ≈ **0.66667**
15% tip on 80 => 15% of 80 = **12**
what's 12.5% of 1840? => 12.5% of 1,840 = **230**
What's 12.5% of 1,840? => 12.5% of 1,840 = **230**
calculate (3+4)*2^5 => (3 + 4) × 2^5 = **224**
12 * 7 => 12 × 7 = **84**
12*7= => 12 × 7 = **84**
how much is 3/8 + 1/4 => 3/8 + 1/4 = **0.625** (5/8)
sqrt of 2 to 10 digits => √2 ≈ **1.414213562**
square root of 144 => √144 = **12**
what is the square root of 144? => √144 = **12**
what is 17 squared => 17^2 = **289**
what is 2 to the power of 10 => 2^10 = **1,024**
2**10 => 2^10 = **1,024**
3 × 4 ÷ 2 => 3 × 4 / 2 = **6**
7 − 3 => 7 − 3 = **4**
half of seven => 1/2 × 7 = **3.5**
half of 7 => 1/2 × 7 = **3.5**
a third of 90 => 1/3 × 90 = **30**
three quarters of 200 => 3/4 × 200 = **150**
what is twenty-five times four => 25 × 4 = **100**
two hundred and fifty divided by 5 => 250 / 5 = **50**
what is 15 percent of 80 => 15% of 80 = **12**
80 + 15% => 80 + 15% = **92**
15% off 80 => 80 − 15% = **68**
increase 80 by 15% => 80 + 15% = **92**
what percentage of 80 is 12 => 12 / 80 = **15%**
12 is what percent of 80? => 12 / 80 = **15%**
12 out of 80 as a percentage => 12 / 80 = **15%**
percentage change from 80 to 92 => (92 − 80) / 80 = **15%**
seven eighths of 64 => 7/8 × 64 = **56**
0.75 as a fraction => 0.75 = **3/4**
average of 3, 5 and 11 to 2 decimals => The mean of 3, 5 and 11 is ≈ **6.33**.
average of 3, 5 and 10 => The mean of 3, 5 and 10 is **6**.
mean of 1,234 and 5,678 => The mean of 1,234 and 5,678 is **3,456**.
median of 1,2,3,4 => The median of 1, 2, 3 and 4 is **2.5**.
what is the sum of 1, 2 and 3? => The sum of 1, 2 and 3 is **6**.
add up 3, 5 and 9 => The sum of 3, 5 and 9 is **17**.
standard deviation of 2 4 4 4 5 5 7 9 => The sample standard deviation of 2, 4, 4, 4, 5, 5, 7 and 9 is ≈ **2.1380899353**.
sum of 1,2,3 => The sum of 1, 2 and 3 is **6**.
sin of 30 degrees => sin(30°) = **0.5**
sin 30° => sin(30°) = **0.5**
cos(60 degrees) => cos(60°) = **0.5**
what's sin(pi/6) => sin(π/6) = **0.5**
log of 1000 => log(1000) = **3**
ln 2 => ln(2) ≈ **0.69314718056**
log base 2 of 1024 => log(1024, 2) = **10**
natural log of 10 => ln(10) ≈ **2.30258509299**
5 factorial => 5! = **120**
factorial of 10 => 10! = **3,628,800**
30! => 30! = **265,252,859,812,191,058,636,308,480,000,000**
2^200 => 2^200 = **1,606,938,044,258,990,275,541,962,092,341,162,602,522,202,993,782,792,835,301,376**
49 choose 6 => choose(49, 6) = **13,983,816**
17 mod 5 => 17 mod 5 = **2**
remainder of 17 divided by 5 => mod(17, 5) = **2**
what is the remainder when 17 is divided by 5 => mod(17, 5) = **2**
gcd of 12 and 18 => The greatest common divisor of 12 and 18 is **6**.
greatest common divisor of 12 and 18 => The greatest common divisor of 12 and 18 is **6**.
is 2^10 bigger than 1000? => **Yes**: 2^10 \> 1,000.
is 3/7 less than 0.43 => **Yes**: 3/7 \< 0.43.
x = 3; x^2+1 => x = 3; x^2 + 1 = **10**
2/3 => 2/3 ≈ **0.666666666667**
what's 2/3 => 2/3 ≈ **0.666666666667**
what is 1/0 => (refused) I can't divide by zero.
9^9^9^9 => (refused) The result would have about 369,693,100 digits; I stop at 5,000.
10000000! => (refused) The result would have about 65,657,059 digits; I stop at 5,000.
0.1 + 0.2 => 0.1 + 0.2 = **0.3**
what is 1,234.5 * 2 => 1,234.5 × 2 = **2,469**
£1,840 * 12% => 1,840 × 12% = **£220.80**
tip of 18% on 54.20 => 18% of 54.20 ≈ **9.76**
18% tip on $54.20 => 18% of 54.20 ≈ **$9.76**
split 100 euros among 3 => 100 / 3 ≈ **€33.33**
split a bill of $84 between 4 people => 84 / 4 = **$21**
$100 / $20 => 100 / 20 = **5**
is 97 prime => **Yes**: 97 is a prime number.
is 91 a prime number? => **No**: 91 = **7 × 13**
is 1 prime? => **No**: 1 = **1**
factor 84 => 84 = **2 × 2 × 3 × 7**
prime factors of 360 => 360 = **2 × 2 × 2 × 3 × 3 × 5**
add 5 and 7, then multiply by 3 => (7 + 5) × 3 = **36**
12.5% of £1,840 => 12.5% of 1,840 = **£230**
multiply 6 by 7 => 6 × 7 = **42**
add 5 to 20 => 20 + 5 = **25**
subtract 5 from 20 => 20 − 5 = **15**
divide 100 by 8 => 100 / 8 = **12.5**
5 plus 6 minus 2 => 5 + 6 − 2 = **9**
twice 21 => 2 × 21 = **42**
cube root of 27 => ∛27 = **3**
pi to 30 digits => π ≈ **3.14159265358979323846264338328**
what is pi to 5 decimal places => π ≈ **3.14159**
round 3.14159 to 2 decimal places => 3.14159 ≈ **3.14**
difference between 10 and 4 => abs(10 − 4) = **6**
product of 3 and 4 => The product of 3 and 4 is **12**.
what's 10 times 10? => 10 × 10 = **100**
3 million divided by 4 => 3,000,000 / 4 = **750,000**
what is 2+2? => 2 + 2 = **4**
2+2 => 2 + 2 = **4**
what's 5! => 5! = **120**
how much is 20% of 50? => 20% of 50 = **10**
50% of a hundred => 50% of 100 = **50**
what is 100 divided by 3 to 2 decimal places => 100 / 3 ≈ **33.33**
what is 7 x 8 => 7 × 8 = **56**
7x8 => 7 × 8 = **56**
(1 + 2) * 3 => (1 + 2) × 3 = **9**
-5 + 3 => -5 + 3 = **−2**
e^2 => e^2 ≈ **7.38905609893**
√2 => √2 ≈ **1.41421356237**
5 squared plus 3 cubed => 5^2 + 3^3 = **52**
what is 3 to the 4th power => 3^4 = **81**
3/8 + 1/4 => 3/8 + 1/4 = **0.625** (5/8)
what does 12 * 3 equal? => 12 × 3 = **36**
how much is 5% off 200 => 200 − 5% = **190**
what's 3 cubed => 3^3 = **27**
what's 12.5% of 1840? => 12.5% of 1,840 = **230**
>> times 3 => 230 × 3 = **690**
>> and divided by 4? => 690 / 4 = **172.5**
>> half of that => 1/2 × 172.5 = **86.25**
>> to 2 decimal places => 1/2 × 172.5 = **86.25**
2/3 + 1/7 => 2/3 + 1/7 = **17/21** ≈ 0.809523809524
>> times 21 => (17/21) × 21 = **17**
sqrt(2) => √2 ≈ **1.41421356237**
>> to 20 digits => √2 ≈ **1.4142135623730950488**
>> squared => (√2)^2 ≈ **2**
15% of 80 => 15% of 80 = **12**
>> what about 120? => 15% of 120 = **18**
>> and 20%? => 20% of 120 = **24**
square root of 16 => √16 = **4**
>> and 25? => √25 = **5**
12 * 7 => 12 × 7 = **84**
>> add 5 => 84 + 5 = **89**
>> double => 89 × 2 = **178**
>> square root of that => √178 ≈ **13.3416640641**
12 * 7 => 12 × 7 = **84**
>> thanks => (not recognised)
>> times 3 => 84 × 3 = **252**
`,
);
