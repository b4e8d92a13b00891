// swift-tools-version: 6.2
import PackageDescription

// A server whose requests each open a realm. This package is apart from that of Firn, so that users of
// Firn do not fetch SwiftNIO.
let package = Package(
    name: "server",
    platforms: [.macOS(.v15)],
    dependencies: [
        .package(name: "firn", path: "../../.."),
        .package(url: "https://github.com/apple/swift-nio", exact: "2.101.2"),
        // Stops a server without cutting off the requests that are in progress.
        .package(url: "https://github.com/apple/swift-nio-extras", exact: "1.35.2"),
    ],
    targets: [
        .executableTarget(
            name: "server",
            dependencies: [
                .product(name: "Firn", package: "firn"),
                .product(name: "NIOCore", package: "swift-nio"),
                .product(name: "NIOPosix", package: "swift-nio"),
                .product(name: "NIOHTTP1", package: "swift-nio"),
                .product(name: "NIOExtras", package: "swift-nio-extras"),
            ],
            path: "Sources")
    ]
)
