// The softmax of each row of $N columns: a block of 256 threads a row, each on
// every 256th column; maximum and sum go from lane to lane by shuffles, and from
// warp to warp through shared memory.
!mat = memref<$Nx$Nxf32>
!part = memref<8xf32, #gpu.address_space<workgroup>>
module attributes {gpu.container_module} {
  gpu.module @kernels {
    gpu.func @softmax(%in: !mat, %out: !mat) workgroup(%part: !part) kernel {
      %c0 = arith.constant 0 : index
      %lanes = arith.constant 32 : index
      %warps = arith.constant 8 : index
      %threads = arith.constant 256 : index
      %columns = arith.constant $N : index
      %least = arith.constant 0xFF800000 : f32
      %zero = arith.constant 0.0 : f32
      %one = arith.constant 1.0 : f32
      %warp = arith.constant 32 : i32
      %lane16 = arith.constant 16 : i32
      %lane8 = arith.constant 8 : i32
      %lane4 = arith.constant 4 : i32
      %lane2 = arith.constant 2 : i32
      %lane1 = arith.constant 1 : i32
      %row = gpu.block_id x
      %t = gpu.thread_id x
      %lane = arith.remui %t, %lanes : index
      %warpId = arith.divui %t, %lanes : index
      %isFirst = arith.cmpi eq, %lane, %c0 : index
      %hasPart = arith.cmpi ult, %lane, %warps : index

      %m = scf.for %j = %t to %columns step %threads
          iter_args(%m = %least) -> f32 {
        %x = memref.load %in[%row, %j] : !mat
        %next = arith.maximumf %m, %x : f32
        scf.yield %next : f32
      }
      %ms0, %mp0 = gpu.shuffle xor %m, %lane16, %warp : f32
      %m0 = arith.maximumf %m, %ms0 : f32
      %ms1, %mp1 = gpu.shuffle xor %m0, %lane8, %warp : f32
      %m1 = arith.maximumf %m0, %ms1 : f32
      %ms2, %mp2 = gpu.shuffle xor %m1, %lane4, %warp : f32
      %m2 = arith.maximumf %m1, %ms2 : f32
      %ms3, %mp3 = gpu.shuffle xor %m2, %lane2, %warp : f32
      %m3 = arith.maximumf %m2, %ms3 : f32
      %ms4, %mp4 = gpu.shuffle xor %m3, %lane1, %warp : f32
      %m4 = arith.maximumf %m3, %ms4 : f32
      scf.if %isFirst {
        memref.store %m4, %part[%warpId] : !part
      }
      gpu.barrier
      %mw = scf.if %hasPart -> f32 {
        %p = memref.load %part[%lane] : !part
        scf.yield %p : f32
      } else {
        scf.yield %least : f32
      }
      %mws0, %mwp0 = gpu.shuffle xor %mw, %lane16, %warp : f32
      %mw0 = arith.maximumf %mw, %mws0 : f32
      %mws1, %mwp1 = gpu.shuffle xor %mw0, %lane8, %warp : f32
      %mw1 = arith.maximumf %mw0, %mws1 : f32
      %mws2, %mwp2 = gpu.shuffle xor %mw1, %lane4, %warp : f32
      %mw2 = arith.maximumf %mw1, %mws2 : f32
      %mws3, %mwp3 = gpu.shuffle xor %mw2, %lane2, %warp : f32
      %mw3 = arith.maximumf %mw2, %mws3 : f32
      %mws4, %mwp4 = gpu.shuffle xor %mw3, %lane1, %warp : f32
      %mw4 = arith.maximumf %mw3, %mws4 : f32
      gpu.barrier

      %e = scf.for %j = %t to %columns step %threads
          iter_args(%sum = %zero) -> f32 {
        %x = memref.load %in[%row, %j] : !mat
        %d = arith.subf %x, %mw4 : f32
        %y = math.exp %d : f32
        memref.store %y, %out[%row, %j] : !mat
        %next = arith.addf %sum, %y : f32
        scf.yield %next : f32
      }
      %es0, %ep0 = gpu.shuffle xor %e, %lane16, %warp : f32
      %e0 = arith.addf %e, %es0 : f32
      %es1, %ep1 = gpu.shuffle xor %e0, %lane8, %warp : f32
      %e1 = arith.addf %e0, %es1 : f32
      %es2, %ep2 = gpu.shuffle xor %e1, %lane4, %warp : f32
      %e2 = arith.addf %e1, %es2 : f32
      %es3, %ep3 = gpu.shuffle xor %e2, %lane2, %warp : f32
      %e3 = arith.addf %e2, %es3 : f32
      %es4, %ep4 = gpu.shuffle xor %e3, %lane1, %warp : f32
      %e4 = arith.addf %e3, %es4 : f32
      scf.if %isFirst {
        memref.store %e4, %part[%warpId] : !part
      }
      gpu.barrier
      %ew = scf.if %hasPart -> f32 {
        %p = memref.load %part[%lane] : !part
        scf.yield %p : f32
      } else {
        scf.yield %zero : f32
      }
      %ews0, %ewp0 = gpu.shuffle xor %ew, %lane16, %warp : f32
      %ew0 = arith.addf %ew, %ews0 : f32
      %ews1, %ewp1 = gpu.shuffle xor %ew0, %lane8, %warp : f32
      %ew1 = arith.addf %ew0, %ews1 : f32
      %ews2, %ewp2 = gpu.shuffle xor %ew1, %lane4, %warp : f32
      %ew2 = arith.addf %ew1, %ews2 : f32
      %ews3, %ewp3 = gpu.shuffle xor %ew2, %lane2, %warp : f32
      %ew3 = arith.addf %ew2, %ews3 : f32
      %ews4, %ewp4 = gpu.shuffle xor %ew3, %lane1, %warp : f32
      %ew4 = arith.addf %ew3, %ews4 : f32
      gpu.barrier

      %scale = arith.divf %one, %ew4 : f32
      scf.for %j = %t to %columns step %threads {
        %y = memref.load %out[%row, %j] : !mat
        %z = arith.mulf %y, %scale : f32
        memref.store %z, %out[%row, %j] : !mat
      }
      gpu.return
    }
  }
  func.func @run(%in: !mat, %out: !mat) {
    %c1 = arith.constant 1 : index
    %threads = arith.constant 256 : index
    %rows = arith.constant $N : index
    gpu.launch_func @kernels::@softmax
        blocks in (%rows, %c1, %c1) threads in (%threads, %c1, %c1)
        args(%in : !mat, %out : !mat)
    return
  }
}
