import LightningFuzzing

#if FUZZING
private let target = FuzzTarget.chosen(from: FuzzTarget.ofLibraries)

@_cdecl("LLVMFuzzerTestOneInput")
func test(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
    target.check(start, count)
}
#else
@main
struct Names {
    static func main() {
        for target in FuzzTarget.ofLibraries { print(target.name) }
    }
}
#endif
