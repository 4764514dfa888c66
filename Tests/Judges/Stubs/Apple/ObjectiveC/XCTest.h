// SPDX-License-Identifier: MIT
// The declarations of XCTest that Tests/Apple uses in Objective-C; nothing here does anything.
@import Foundation;

@interface XCTestCase : NSObject
@end
void XCTFail(NSString *format, ...);
#define XCTAssertTrue(condition, ...) \
  do { \
    if (!(condition)) XCTFail(@"" __VA_ARGS__); \
  } while (0)
#define XCTAssertNil(value, ...) XCTAssertTrue((value) == nil, __VA_ARGS__)
#define XCTAssertNotNil(value, ...) XCTAssertTrue((value) != nil, __VA_ARGS__)
#define XCTAssertEqual(a, b, ...) XCTAssertTrue((a) == (b), __VA_ARGS__)
#define XCTAssertEqualObjects(a, b, ...) XCTAssertTrue((id)(a) == (id)(b), __VA_ARGS__)
