#if canImport(Darwin)
import Darwin
#else
import Glibc
#endif

// Under other names, for types that have methods called like them.

package func systemRead(_ descriptor: Int32, _ buffer: UnsafeMutableRawPointer?, _ count: Int) -> Int {
    read(descriptor, buffer, count)
}

package func systemWrite(_ descriptor: Int32, _ buffer: UnsafeRawPointer?, _ count: Int) -> Int {
    write(descriptor, buffer, count)
}

package func systemRename(_ path: String, _ target: String) -> Int32 {
    rename(path, target)
}
