import FirnValues

#if canImport(Glibc)
import Glibc
#elseif canImport(Darwin)
import Darwin
#endif

/// The replacement of this program by another one in the same process.
package enum ProgramReplacement {
    /// The folder of this program; `nil` if the system does not report it.
    package static var ownFolder: String? {
        #if canImport(Glibc)
        var buffer = [CChar](repeating: 0, count: Int(PATH_MAX))
        let count = readlink("/proc/self/exe", &buffer, buffer.count - 1)
        guard count > 0 else { return nil }
        let path = String(
            decoding: buffer.prefix(count).map(UInt8.init(bitPattern:)), as: UTF8.self)
        return path.cut(atLast: "/").map { String($0.before) }
        #else
        return nil
        #endif
    }

    /// Replaces this program with another one, with the same standard streams.
    ///
    /// - Parameters:
    ///   - paths: The paths of the program, of which the first that can be executed is taken. A
    ///     path without a slash is searched for in `PATH`.
    ///   - arguments: The arguments, without the name of the program.
    /// - Returns: Only if none of them can be executed.
    package static func run(_ paths: [String], _ arguments: [String]) {
        for path in paths {
            var words = ([path] + arguments).map { strdup($0) }
            words.append(nil)
            execvp(path, words)
            for word in words { free(word) }
        }
    }
}
