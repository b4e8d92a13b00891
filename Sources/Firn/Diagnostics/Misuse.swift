/// Stops the program because of a mistake in it: the one way out for conditions that a programmer
/// can rule out by reading the program.
///
/// Whatever depends on files, disks, other processes or data is a thrown ``Realm/Error`` instead.
///
/// - Parameter message: what was done, why that cannot be, and what to do instead.
@usableFromInline
package func misuse(_ message: @autoclosure () -> String) -> Never {
    fatalError("Firn: \(message())")
}
