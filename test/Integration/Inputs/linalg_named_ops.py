#===- linalg_named_ops.py - Every named op of linalg with loops -------------===#
#
# Part of the Uop project, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
#===-------------------------------------------------------------------------===#
#
# Writes a module whose @main runs each named op of linalg on small memrefs and
# prints its output. Outputs begin as numbers, to which reductions add. Values
# are whole, so that everything but functions is exact.
#
# The shapes of a convolution follow from its name: conv_2d_nhwc_hwcf has an
# input with the dimensions n, h, w, c and a filter with h, w, c, f.
#
# Usage: linalg_named_ops.py
#
#===-------------------------------------------------------------------------===#

# Sizes by dimension; of spatial ones that of the output.
SIZES = dict(n=2, d=2, h=3, w=4, c=3, f=5, g=2, m=2)
WINDOW = dict(d=2, h=2, w=3)
STRIDE = 2
DILATION = 3

CONVOLUTIONS = """
conv_1d conv_2d conv_3d
conv_1d_nwc_wcf conv_1d_ncw_fcw
conv_2d_nhwc_hwcf conv_2d_nhwc_fhwc conv_2d_nchw_fchw
conv_2d_nhwc_hwcf_q conv_2d_nhwc_fhwc_q conv_2d_nchw_fchw_q
conv_2d_ngchw_fgchw conv_2d_ngchw_gfchw conv_2d_nhwgc_gfhwc
conv_2d_nhwgc_gfhwc_q conv_2d_ngchw_gfchw_q
conv_3d_ndhwc_dhwcf conv_3d_ndhwc_dhwcf_q conv_3d_ncdhw_fcdhw
depthwise_conv_1d_nwc_wc depthwise_conv_1d_ncw_cw depthwise_conv_1d_nwc_wcm
depthwise_conv_2d_nhwc_hwc depthwise_conv_2d_nchw_chw
depthwise_conv_2d_nhwc_hwc_q depthwise_conv_2d_nhwc_hwcm
depthwise_conv_2d_nhwc_hwcm_q
depthwise_conv_3d_ndhwc_dhwc depthwise_conv_3d_ncdhw_cdhw
depthwise_conv_3d_ndhwc_dhwcm
""".split()

POOLINGS = """
pooling_nhwc_sum pooling_nchw_sum pooling_nhwc_max pooling_nhwc_max_unsigned
pooling_nchw_max pooling_nhwc_min pooling_nhwc_min_unsigned pooling_nwc_sum
pooling_ncw_sum pooling_nwc_max pooling_nwc_max_unsigned pooling_ncw_max
pooling_nwc_min pooling_nwc_min_unsigned pooling_ndhwc_sum pooling_ndhwc_max
pooling_ndhwc_min
""".split()

# Shapes of the inputs and of the output.
CONTRACTIONS = {
    "matmul": ("4x5", "5x3", "4x3"),
    "quantized_matmul": ("4x5", "5x3", "4x3"),
    "batch_matmul": ("2x4x5", "2x5x3", "2x4x3"),
    "quantized_batch_matmul": ("2x4x5", "2x5x3", "2x4x3"),
    "batch_reduce_matmul": ("2x4x5", "2x5x3", "4x3"),
    "mmt4d": ("2x3x4x5", "3x3x2x5", "2x3x4x2"),
    "batch_mmt4d": ("2x2x3x4x5", "2x3x3x2x5", "2x2x3x4x2"),
    "matvec": ("4x5", "5", "4"),
    "vecmat": ("4", "4x5", "5"),
    "batch_matvec": ("2x4x5", "2x5", "2x4"),
    "batch_vecmat": ("2x4", "2x4x5", "2x5"),
    "dot": ("5", "5", ""),
}

UNARY = "abs ceil floor negf round square sqrt".split()
BINARY = "add sub mul div max min".split()


class Module:
    def __init__(self):
        self.globals, self.body, self.ends, self.count = [], [], [], 0

    def name(self):
        self.count += 1
        return f"%v{self.count}"

    def memref(self, shape, element):
        """A memref of whole numbers, in the order of its elements."""
        sizes = [int(size) for size in shape.split("x") if size]
        type = f"memref<{''.join(f'{size}x' for size in sizes)}{element}>"
        suffix = ".0" if element.startswith("f") else ""
        value = self.count

        def values(rest):
            nonlocal value
            if not rest:
                value = value * 5 + 3
                value %= 17
                return f"{value - 6 if element != 'i32u' else value}{suffix}"
            return "[" + ", ".join(values(rest[1:]) for _ in range(rest[0])) + "]"

        symbol = f"@g{len(self.globals)}"
        self.globals.append(
            f'memref.global "private" constant {symbol} : {type} = dense<{values(sizes)}>'
        )
        constant, name = self.name(), self.name()
        self.body.append(f"{constant} = memref.get_global {symbol} : {type}")
        self.body.append(f"{name} = memref.alloc() : {type}")
        self.body.append(f"memref.copy {constant}, {name} : {type} to {type}")
        self.ends.append(f"memref.dealloc {name} : {type}")
        return name, type

    def run(self, op, inputs, output, attributes=""):
        names = ", ".join(name for name, _ in inputs)
        types = ", ".join(type for _, type in inputs)
        name, type = output
        self.body.append(
            f"linalg.{op} {attributes} ins({names} : {types}) outs({name} : {type})"
        )
        element = "F32" if "f32" in type else "I32"
        cast = self.name()
        self.body.append(f"{cast} = memref.cast {name} : {type} to memref<*x{element.lower()}>")
        self.body.append(f"call @printMemref{element}({cast}) : (memref<*x{element.lower()}>) -> ()")


def shape(letters, sizes):
    return "x".join(str(sizes[letter]) for letter in letters)


def spatial(letters):
    return [letter for letter in letters if letter in "dhw"]


def attributes(count):
    return (
        f"{{strides = dense<{STRIDE}> : tensor<{count}xi64>, "
        f"dilations = dense<{DILATION}> : tensor<{count}xi64>}}"
    )


def convolution(module, op):
    parts = op.removeprefix("depthwise_").split("_")
    is_depthwise, is_quantised = op.startswith("depthwise_"), parts[-1] == "q"
    if len(parts) == 2:
        source = filter = output = {"1d": "w", "2d": "hw", "3d": "dhw"}[parts[1]]
        stride = dilation = 1
    else:
        source, filter = parts[2], parts[3]
        output = source.replace("c", "c" if is_depthwise else "f")
        if "m" in filter:
            output += "m"
        stride, dilation = STRIDE, DILATION
    sizes = dict(SIZES)
    for letter in spatial(source):
        sizes[letter] = (SIZES[letter] - 1) * stride + (WINDOW[letter] - 1) * dilation + 1
    element = "i8" if is_quantised else "f32"
    inputs = [
        module.memref(shape(source, sizes), element),
        module.memref(shape(filter, {**SIZES, **WINDOW}), element),
    ]
    if is_quantised:
        for value in (3, -2):
            name = module.name()
            module.body.append(f"{name} = arith.constant {value} : i32")
            inputs.append((name, "i32"))
    target = module.memref(shape(output, SIZES), "i32" if is_quantised else "f32")
    text = attributes(len(spatial(source))) if len(parts) > 2 else ""
    module.run(op, inputs, target, text)


def pooling(module, op):
    source = op.split("_")[1]
    sizes = dict(SIZES)
    for letter in spatial(source):
        sizes[letter] = (SIZES[letter] - 1) * STRIDE + (WINDOW[letter] - 1) * DILATION + 1
    element = "i32" if op.endswith("unsigned") else "f32"
    inputs = [
        module.memref(shape(source, sizes), element),
        module.memref(shape(spatial(source), WINDOW), element),
    ]
    target = module.memref(shape(source, SIZES), element)
    module.run(op, inputs, target, attributes(len(spatial(source))))


def contraction(module, op, shapes):
    is_quantised = op.startswith("quantized")
    element = "i8" if is_quantised else "f32"
    inputs = [module.memref(text, element) for text in shapes[:-1]]
    if is_quantised:
        for value in (3, -2):
            name = module.name()
            module.body.append(f"{name} = arith.constant {value} : i32")
            inputs.append((name, "i32"))
    module.run(op, inputs, module.memref(shapes[-1], "i32" if is_quantised else "f32"))


def elementwise(module):
    for op in UNARY:
        source = module.memref("3x5", "f32")
        if op == "sqrt":
            square = module.memref("3x5", "f32")
            module.run("square", [source], square)
            source = square
        module.run(op, [source], module.memref("3x5", "f32"))
    for op in BINARY:
        # No divisor is zero: the numbers of a row repeat.
        sources = [module.memref("3x5", "f32") for _ in range(2)]
        module.run(op, sources, module.memref("3x5", "f32"))
    sources = [module.memref("3x5", "i32") for _ in range(2)]
    module.run("add", sources, module.memref("3x5", "i32"))


def main():
    module = Module()
    for op in CONVOLUTIONS:
        convolution(module, op)
    for op in POOLINGS:
        pooling(module, op)
    for op, shapes in CONTRACTIONS.items():
        contraction(module, op, shapes)
    elementwise(module)
    print("func.func private @printMemrefF32(memref<*xf32>)")
    print("func.func private @printMemrefI32(memref<*xi32>)")
    print("\n".join(module.globals))
    print("func.func @main() {")
    print("\n".join("  " + line for line in module.body + module.ends))
    print("  return\n}")


main()
