#if canImport(Darwin)
import Darwin
#else
import Glibc
#endif

// Renamed, for types that have methods of the same names.

package func systemRead(_ descriptor: Int32, _ buffer: UnsafeMutableRawPointer?, _ count: Int) -> Int {
    read(descriptor, buffer, count)
}

package func systemWrite(_ descriptor: Int32, _ buffer: UnsafeRawPointer?, _ count: Int) -> Int {
    write(descriptor, buffer, count)
}

package func systemRename(_ path: String, _ target: String) -> Int32 {
    rename(path, target)
}
