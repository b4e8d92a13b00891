import FirnFuzzing
import FirnPlatform

/// The entry point for libFuzzer, which has the main function: see `.ci/soak/fuzz`.
///
/// FIRN_FUZZ_TARGET names the target that gets the bytes.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzzOneInput(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
    do {
        try Fuzzing.target.run(Array(UnsafeBufferPointer(start: start, count: count)))
    } catch {
        fatalError("\(error)")
    }
    return 0
}

private enum Fuzzing {
    static let target: FuzzTarget = {
        let name = Environment.variable("FIRN_FUZZ_TARGET") ?? ""
        guard let target = FuzzTarget(rawValue: name) else {
            fatalError("FIRN_FUZZ_TARGET is one of \(FuzzTarget.allCases.map(\.rawValue))")
        }
        return target
    }()
}
