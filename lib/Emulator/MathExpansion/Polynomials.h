//===- Polynomials.h - Coefficients of the math functions -------*- C++ -*-===//
//
// Part of the Uop project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// From scripts/fit-math-polynomials.py, which says of which functions these
// are. The error is that of the greatest deviation, relative to the function
// that is computed, of the polynomial with these coefficients.
//
//===----------------------------------------------------------------------===//

#ifndef UOP_EMULATOR_MATHEXPANSION_POLYNOMIALS_H
#define UOP_EMULATOR_MATHEXPANSION_POLYNOMIALS_H

namespace uop::math_expansion {

// On [-0.346608, 0.346608], degree 8: error 2^-43.34.
inline constexpr double kExpM1[] = {
    0x1.0000000000000p+0,  0x1.fffffffff5e4ep-2,  0x1.555555554c1efp-3,
    0x1.5555557749c62p-5,  0x1.1111114287edcp-7,  0x1.6c16464b4b627p-10,
    0x1.a018f48511a09p-13, 0x1.a164b18dee626p-16, 0x1.73c012c97a4c6p-19,
};
// On [-0.5001, 0.5001], degree 8: error 2^-39.75.
inline constexpr double kExp2[] = {
    0x1.0000000000000p+0,  0x1.62e42fef7a5d0p-1,  0x1.ebfbdff7c49fbp-3,
    0x1.c6b08deffcb3ap-5,  0x1.3b2ab7f54ab93p-7,  0x1.5d872936d4828p-10,
    0x1.4306be5121f44p-13, 0x1.00ee2d3cf3210p-16, 0x1.66374f3e66333p-20,
};
// On [-0.292893, 0.414214], degree 14: error 2^-40.17.
inline constexpr double kLog1p[] = {
    0x1.0000000000000p+0,  -0x1.ffffffff6e623p-2, 0x1.55555554df981p-2,
    -0x1.0000009f921c7p-2, 0x1.99999b5d35e41p-3,  -0x1.5554f1d4eba4dp-3,
    0x1.24917fa5e4fd5p-3,  -0x1.000d069f5aa9ap-3, 0x1.c7624a9ca3b02p-4,
    -0x1.980e3ebb59574p-4, 0x1.6eda0801c8e59p-4,  -0x1.5dad0f4f28688p-4,
    0x1.6cc94a062bc02p-4,  -0x1.3bf6042e2e0b3p-4, 0x1.0df2ca20aeed7p-5,
};
// On [0.0, 0.0156266], degree 5: error 2^-47.64.
inline constexpr double kSinTurns[] = {
    0x1.921fb54442cf8p+2,  -0x1.4abbce62577b6p+5, 0x1.466bc670fc944p+6,
    -0x1.32d2c62907b91p+6, 0x1.5071be7681e7dp+5,  -0x1.dd4e283fd9654p+3,
};
// On [0.0, 0.0156266], degree 5: error 2^-43.64.
inline constexpr double kCosTurns[] = {
    0x1.0000000000000p+0,  -0x1.3bd3cc9bd6834p+4, 0x1.03c1f075dc8cep+6,
    -0x1.55d3ba9c95625p+6, 0x1.e1e7f4b38b223p+5,  -0x1.a0f339fdfb818p+4,
};
// On [0.0, 0.120137], degree 4: error 2^-49.37.
inline constexpr double kSinh[] = {
    0x1.0000000000000p+0,  0x1.555555555224dp-3,  0x1.1111112139f6cp-7,
    0x1.a0199beaf090dp-13, 0x1.72da5867ee431p-19,
};
// On [0.0, 0.120137], degree 4: error 2^-45.94.
inline constexpr double kCosh[] = {
    0x1.0000000000000p+0,  0x1.ffffffffeea9ep-2,  0x1.5555558173b00p-5,
    0x1.6c163622cbd40p-10, 0x1.a174174aa4fa9p-16,
};
// On [0.0, 0.171607], degree 8: error 2^-45.04.
inline constexpr double kAtan[] = {
    0x1.0000000000000p+0,  -0x1.555555550bcc0p-2, 0x1.9999992bbbc42p-3,
    -0x1.24922d0222f66p-3, 0x1.c715718c8037dp-4,  -0x1.73e0c797c416fp-4,
    0x1.35fbb3e917e82p-4,  -0x1.e26b35dd3e7fap-5, 0x1.f9a7e5787720bp-6,
};
// On [0.0, 0.25], degree 9: error 2^-43.93.
inline constexpr double kAsin[] = {
    0x1.0000000000000p+0, 0x1.555555565a545p-3, 0x1.333331f2afc0ap-4,
    0x1.6db7629c72b5bp-5, 0x1.f1ab47473297cp-6, 0x1.7027bce5e2182p-6,
    0x1.0e12a0dc28e81p-6, 0x1.30d563ffe3d4bp-6, -0x1.6fa193d8db135p-9,
    0x1.056b3225edae1p-5,
};
// On [0.0, 1.0], degree 8: error 2^-40.15.
inline constexpr double kErf[] = {
    0x1.20dd750428b21p+0,  -0x1.812746adb249ap-2,  0x1.ce2f209760bf0p-4,
    -0x1.b82cb8f3f030dp-6, 0x1.56586cf6af97ap-8,   -0x1.bfdf5a96c39e0p-11,
    0x1.f56bf5002da75p-14, -0x1.d25d3c129ec13p-17, 0x1.1b8cccdaa4448p-20,
};
// On [-1.0, 0.603175], degree 15: error 2^-41.45.
inline constexpr double kErfcx[] = {
    0x1.afbb3f3b738edp-3,   -0x1.7ca88dec1c134p-2,  0x1.01c11a733393dp-2,
    -0x1.00115439fe5f9p-3,  0x1.470ba22976e4fp-5,   -0x1.05bb283192d7cp-8,
    -0x1.5a5741fd0347bp-9,  0x1.cb38ee333d2c4p-11,  0x1.df02a80cc2517p-13,
    -0x1.0e0f0488b44c5p-13, -0x1.1f57838c1d734p-15, 0x1.32c7362a45192p-16,
    0x1.fadb0a7c6ae4ep-18,  -0x1.d70780a40ed7ap-20, -0x1.97803df1f3b78p-20,
    -0x1.0e19ba0a57649p-22,
};
// On [-1.5, 1.5], degree 12: error 2^-38.32.
inline constexpr double kErfcxTail[] = {
    0x1.afbb3f6eb8058p-3,   -0x1.3086d5eddb6fap-4,  0x1.98954db09c816p-6,
    -0x1.0634b4df2dc18p-7,  0x1.43556ddf12d9fp-9,   -0x1.7ff4f2e5d3211p-11,
    0x1.bf4555e946ac9p-13,  -0x1.eda95f762064cp-15, 0x1.b7a55c004bda4p-17,
    -0x1.a9d689c54cacap-18, 0x1.77178c17ac6e2p-20,  0x1.6cb2589381764p-21,
    0x1.baa094f9a1c33p-22,
};
// 2^26 / (2 * pi): five numbers of 29 bits, and the rest.
inline constexpr double kTurns[] = {
    0x1.45f306e000000p+23,  -0x1.b1bbeac000000p-8, -0x1.603d8a8000000p-36,
    -0x1.7056592000000p-67, 0x1.c0db629000000p-96, 0x1.664f10e4107fap-126,
};

} // namespace uop::math_expansion

#endif // UOP_EMULATOR_MATHEXPANSION_POLYNOMIALS_H
