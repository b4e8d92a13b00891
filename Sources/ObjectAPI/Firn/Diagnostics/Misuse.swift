/// Stops the program because of a programming error.
///
/// This function is only for conditions that a programmer can rule out by reading the program.
/// Failures that depend on files, disks, other processes or data are thrown as ``Realm/Error``.
///
/// - Parameter message: A description of the operation, of the problem and of the remedy.
@usableFromInline
package func misuse(_ message: @autoclosure () -> String) -> Never {
    fatalError("Firn: \(message())")
}
